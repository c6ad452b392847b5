jmodule.exports = {
  apps: [{ name: 'api', script: 'server.js', env: { PORT: process.env.PORT || 3000 } }],
};
