/** Stops with one line if Node.js is too old. Imported before anything that needs a newer one. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Gatehouse needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  // The code for wrong settings and surroundings: a restart will not help.
  process.exit(78);
}
