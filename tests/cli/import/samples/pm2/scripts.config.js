console.log("printed by the file");
module.exports = { apps: [
  { name: "blanks", script: 'node show.js "two words"' },
  { name: "bare", script: "./server", args: ["a b", 1], cwd: "cwd" },
  { name: "home", script: "show.js", out_file: "~/out.log", cwd: "/srv", error_file: "err.log" },
  { name: "logs", script: "show.js", log_file: "all.log", out_file: "NULL", error_file: "NULL" },
  { name: "both", script: "show.js", log_file: "all.log", out_file: "out.log", disable_logs: false },
  { name: "port", script: "show.js", instances: 2, increment_var: "PORT", env: { PORT: 3000, O: { a: [1] }, N: null } },
  { name: "alias", cmd: "node show.js" },
  { name: "quotes", script: "x.cjs", args: `--a="b c" 'd e' f`, autostart: false, port: 80 },
  { name: "shell", script: "./tool", interpreter: "none", cwd: "cwd" },
  { name: "old", script: "x.js", interpreter: "node@18", disable_logs: true },
] };
