// The applications of the shop.
module.exports = {
  apps: [
    {
      name: 'api',
      script: './dist/server.js',
      args: '--port 3000 --title "The shop"',
      node_args: '--max-old-space-size=512',
      instances: 2,
      exec_mode: 'cluster',
      max_restarts: 10,
      min_uptime: '5s',
      restart_delay: 4000,
      max_memory_restart: '300M',
      watch: ['dist'],
      ignore_watch: ["node_modules"],
      env: {
        NODE_ENV: 'development',
        PORT: 3000,
        TEMPLATE: `Hello \${name}`,
        VERBOSE: true,
      },
      env_production: { NODE_ENV: 'production' },
      out_file: './logs/api.log',
      error_file: './logs/api-error.log',
      kill_timeout: 5000,
    },
    {
      /* A worker in Python. */
      name: "mailer",
      script: "mailer.py",
      interpreter: "python3",
      args: ["--queue", "mail"],
      cwd: "worker",
      uid: "www-data",
      gid: 1,
      exp_backoff_restart_delay: 100,
      watch: false,
      cron_restart: "0 4 * * *",
    },
  ],

  deploy: { production: { user: 'node', host: ['192.0.2.1'] } },
};
