import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from './support/temp-folder.ts';
import { root } from './support/tree/root.ts';

const samples = join(root, 'docs/samples');
const units = readdirSync(samples).filter((name) => /\.(?:service|timer)$/.test(name));

describe('The systemd units', () => {
  const folder = useTempFolder();

  const analyze = (...args: readonly string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });

  /** The units with the paths and the user of this machine. */
  const writeUnits = (): readonly string[] => {
    mkdirSync(join(folder(), 'units'));
    return units.map((name) => {
      const file = join(folder(), 'units', name.replace('@.', '@3000.'));
      const text = readFileSync(join(samples, name), 'utf8')
        .replaceAll('/opt/gatehouse/', root)
        .replaceAll('/usr/bin/node', process.execPath)
        .replace('User=gatehouse', 'User=root');
      writeFileSync(file, text);
      return file;
    });
  };

  it('are valid for systemd', () => {
    const { status, stdout, stderr } = analyze('verify', ...writeUnits());
    expect([status, stdout, stderr]).to.deep.equal([0, '', '']);
  });

  it('limit what a compromised program can reach', () => {
    const services = writeUnits().filter((file) => file.endsWith('.service'));
    // Tenths of a point on systemd's scale, on which 10.0 is a program without limits.
    const { status, stdout } = analyze('security', '--offline=true', '--threshold=25', ...services);
    expect(status, stdout).to.equal(0);
  });
});
