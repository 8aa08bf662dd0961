/** A module that a command loads first: at exit it writes the processor time of the process to a file. */
import { writeFileSync } from 'node:fs';

const { BENCH_CPU_FILE: file } = process.env;

process.on('exit', () => {
  if (file === undefined || !process.argv[1]?.endsWith('main.js')) return;
  const { user, system } = process.cpuUsage();
  writeFileSync(file, String(user + system));
});
