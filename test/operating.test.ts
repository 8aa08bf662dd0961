import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { makeMetrics } from '../adapters/telemetry/metrics.ts';
import { scrape } from './support/metrics.ts';
import { useService } from './support/service.ts';
import { wrongInCommand } from './support/tree/known-commands.ts';
import { root } from './support/tree/root.ts';

const read = (file: string) => readFileSync(join(root, 'docs', file), 'utf8');
const operating = read('operating.md');

const rules = read('prometheus-alerts.yaml');
/** The alert rules. Each has four lines of one fixed form. */
const alerts = [...rules.matchAll(/- alert: (\w+)\n +expr: '(.*)'\n[\s\S]*?#([a-z-]+)$/gm)].map(
  ([, name = '', expression = '', anchor = '']) => ({ name, expression, anchor }),
);

interface Panels {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}
const { panels }: Panels = JSON.parse(read('grafana-dashboard.json'));
const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

const inText = [...operating.matchAll(/`([^`\n]*\b(?:gatehouse|process|nodejs)_\w+[^`\n]*)`/g)].map(
  ([, text = '']) => text,
);
const expressions = [...alerts.map(({ expression }) => expression), ...shown, ...inText];

const NAME = /\b(?:gatehouse|process|nodejs)_[a-z0-9_]*[a-z0-9]\b/g;
const namesIn = (text: string): readonly string[] => text.match(NAME) ?? [];

describe('Metrics in the guide, the alerts and the dashboard', () => {
  const service = useService({ METRICS_PORT: '0' });

  it('are all exposed by a running server', async () => {
    const text = await scrape(service().metricsUrl);
    const exposed = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
    const named = new Set(expressions.flatMap(namesIn));
    expect([...named].filter((name) => !exposed.has(name))).to.deep.equal([]);
    expect(named.size).to.be.greaterThan(25);
  });

  it('include every metric in the guide, and every alerted metric on the dashboard', async () => {
    const text = await scrape(service().metricsUrl);
    const ours = [...text.matchAll(/^# TYPE (gatehouse_\S+)/gm)].map(([, name = '']) => name);
    expect(ours.filter((name) => !operating.includes(`\`${name}\``))).to.deep.equal([]);
    const watched = ours.filter((name) => alerts.some(({ expression }) => expression.includes(name)));
    expect(watched).to.have.length.above(10);
    expect(watched.filter((name) => !shown.some((expression) => expression.includes(name)))).to.deep.equal(
      [],
    );
  });

  // Prometheus sees no increase in a series that begins at 1.
  it('include a 0 for each event whose increase an alert expects', async () => {
    const text = await scrape(service().metricsUrl);
    const expectedEvents = alerts.flatMap(({ expression }) =>
      [...expression.matchAll(/increase\((\w+)\{event="([^"]+)"\}/g)].map(([, name = '', event = '']) => ({
        name,
        event,
      })),
    );
    expect(expectedEvents).to.have.length(
      alerts.filter(({ expression }) => /increase/.test(expression)).length,
    );
    for (const { name, event } of expectedEvents)
      expect(text).to.match(new RegExp(`^${name}\\{level="\\w+",event="${event}"\\} 0$`, 'm'));
  });

  it('that any program may have are selected from Gatehouse alone', () => {
    const general = [...alerts.map(({ expression }) => expression), ...shown].filter((expression) =>
      /\b(?:process|nodejs)_/.test(expression),
    );
    expect(general).to.have.length.above(5);
    for (const expression of general)
      expect(expression).to.match(/ and on \(job, instance\) gatehouse_build_info\b/);
  });

  it('are selected only by labels that they have', () => {
    const registry = new Registry();
    makeMetrics(registry, { now: Date.now }, { version: '1.0.0', store: 'sqlite' });
    const known = new Map(
      registry
        .getMetricsAsArray()
        .map((metric) => [
          metric.name,
          'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [],
        ]),
    );
    const picks = expressions.flatMap((expression) =>
      [...expression.matchAll(/\b(gatehouse_\w+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/g)].flatMap(
        ([, name = '', labels = '']) =>
          [...labels.matchAll(/(\w+)[=!]/g)].map(([, label = '']) => ({ name, label })),
      ),
    );
    expect(picks).to.not.be.empty;
    for (const { name, label } of picks) expect(known.get(name), `${name}{${label}}`).to.include(label);
    const all = new Set([...known.values()].flat().concat('le', 'instance'));
    const grouped = expressions.flatMap((expression) =>
      [...expression.matchAll(/ by \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', ')),
    );
    expect(grouped.filter((label) => !all.has(label))).to.deep.equal([]);
  });
});

describe('The alerts', () => {
  const rows = [
    ...operating.matchAll(/^\| `(Gatehouse\w+)` \| `(.*?)` \| .* \| \[.*\]\(#([a-z-]+)\) \|$/gm),
  ].map(([, name = '', expression = '', anchor = '']) => ({
    name,
    expression: expression.replaceAll('\\|', '|'),
    anchor,
  }));

  it('are the same in the guide and in the rules', () => {
    expect(alerts.length).to.be.greaterThan(15);
    expect(alerts).to.have.length(rules.match(/- alert:/g)?.length ?? 0);
    expect(rows).to.deep.equal(alerts);
  });

  it('for slow requests exclude each route that checks a password', () => {
    const hashing = read('api.md')
      .split('\n### ')
      .filter((section) => section.includes('bucket `password`'));
    expect(hashing).to.have.length.above(3);
    const [, leftOut = ''] = /GatehouseSlow\n.*route!~"([^"]+)"/.exec(rules) ?? [];
    for (const section of hashing) {
      const [, route = ''] = /^`\w+ (\S+)`/.exec(section) ?? [];
      expect(route).to.match(new RegExp(`^(?:${leftOut})$`));
    }
  });

  it('have a runbook each', () => {
    const headings = [...operating.matchAll(/^### (.*)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    for (const { name, anchor } of alerts) expect(headings, name).to.include(anchor);
  });

  it('and their runbooks name only events that the product logs', () => {
    const events = [
      ...(operating + JSON.stringify(alerts)).matchAll(/event\s*==?\s*\\?"([a-z_]+\.[a-z_]+)\\?"/g),
    ];
    const named = new Set(events.map(([, event = '']) => event));
    const code = ['core', 'adapters', 'servers'].flatMap((layer) =>
      readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(root, layer, file), 'utf8')),
    );
    expect(named.size).to.be.greaterThan(4);
    expect([...named].filter((event) => !code.some((text) => text.includes(`'${event}'`)))).to.deep.equal([]);
  });
});

describe('The runbook of undelivered webhooks', () => {
  it('explains each failure that `webhooks list` shows', () => {
    const code = [
      'core/webhooks/admin.ts',
      'core/outbox-dispatcher.ts',
      'adapters/signed-deliveries/webhook-sender.ts',
    ]
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join();
    const words = [...code.matchAll(/(?:\bagain\(|failure: |BEHIND = )'(\w+)'/g)].map(
      ([, word = '']) => word,
    );
    expect(words).to.include.members(['gone', 'timeout', 'waits_in_order']);
    const runbook = operating.split('### Webhooks are not delivered')[1]?.split('\n### ', 1)[0];
    for (const word of words) expect(runbook).to.include(`\`${word}\``);
  });
});

describe('The commands of the guide', () => {
  it('exist and have the options shown', () => {
    const lines = [...operating.matchAll(/npx --no gatehouse ([^`|\n>]+)/g)].map(([, words = '']) => words);
    expect(lines.length).to.be.greaterThan(15);
    for (const line of lines) expect(wrongInCommand(line.trim().split(/\s+/)), line).to.equal(undefined);
  });
});
