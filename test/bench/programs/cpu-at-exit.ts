/** A module that a command loads before itself: writes the processor time that its process took to a file. */
import { writeFileSync } from 'node:fs';

const { BENCH_CPU_FILE: file } = process.env;

process.on('exit', () => {
  if (file === undefined || !process.argv[1]?.endsWith('main.js')) return;
  const { user, system } = process.cpuUsage();
  writeFileSync(file, String(user + system));
});
