import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/root.ts';

const docs = join(root, 'docs');

describe('The Prometheus configuration of the operating guide', () => {
  const folder = useTempFolder();

  it('is accepted by `promtool`, with the alerts', () => {
    const [, scrapeConfig = ''] =
      /^```yaml\n(.*?)^```$/ms.exec(readFileSync(join(docs, 'operating.md'), 'utf8')) ?? [];
    expect(scrapeConfig).to.include('rule_files:');
    writeFileSync(join(folder(), 'prometheus.yaml'), scrapeConfig);
    copyFileSync(join(docs, 'prometheus-alerts.yaml'), join(folder(), 'prometheus-alerts.yaml'));
    const { status, stderr } = spawnSync('promtool', ['check', 'config', 'prometheus.yaml'], {
      cwd: folder(),
      encoding: 'utf8',
    });
    expect(status, stderr).to.equal(0);
  });
});
