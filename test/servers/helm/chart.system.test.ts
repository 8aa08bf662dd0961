import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../../adapters/config.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { imageSettings, type Loose, least, lint, readManifests, render, template } from './render.ts';

const everything = {
  ...least,
  settings: {
    ...least.settings,
    KMS: 'aws',
    AWS_KMS_KEY_ID: 'alias/gatehouse',
    OBJECTS_URL: 's3://example/a',
  },
  imagePullSecrets: [{ name: 'registry' }],
  metrics: { enabled: true },
  accounts: {
    autoscaling: { enabled: true },
    podAnnotations: { 'prometheus.io/scrape': 'true' },
    nodeSelector: { disk: 'fast' },
    tolerations: [{ key: 'only', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
  },
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/avatars' } },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls', annotations: { a: 'b' } },
  networkPolicy: { enabled: true },
};

const list = (value: Loose | undefined): readonly Loose[] => (value ?? []) as unknown as readonly Loose[];

describe('The chart, rendered by Helm', () => {
  const folder = useTempFolder();
  const named = (manifests: readonly Loose[], kind: string, name = '') =>
    manifests.find((one) => String(one.kind) === kind && String(one.metadata?.name).endsWith(name)) ??
    expect.fail(`There is no ${kind} ${name}.`);
  const kinds = (manifests: readonly Loose[]) => manifests.map(({ kind }) => String(kind)).sort();
  const containerOf = (manifest: Loose) =>
    list(manifest.spec?.template?.spec?.containers)[0] ?? expect.fail();

  /** What the container of a Deployment or Job reads, with the files that it mounts in the test's folder. */
  const environment = (manifests: readonly Loose[], manifest: Loose): Readonly<Record<string, string>> => {
    const container = containerOf(manifest);
    const settings = list(container.envFrom).length > 0 ? named(manifests, 'ConfigMap').data : {};
    const own = list(container.env).map(({ name, value }) => [String(name), String(value)]);
    const inFolder = (value: string) => (value.startsWith('/') ? join(folder(), value) : value);
    return Object.fromEntries(
      Object.entries({ ...imageSettings(), ...settings, ...Object.fromEntries(own) }).map(([name, value]) => [
        name,
        inFolder(String(value)),
      ]),
    );
  };
  const makeFiles = () => {
    const secrets: Readonly<Record<string, string>> = {
      MONGODB_URL: 'mongodb://mongodb/gatehouse',
      REDIS_URL: 'redis://redis',
      SMTP_URL: 'smtps://smtp.example.com',
    };
    for (const name of ['gatehouse', 'keys'])
      mkdirSync(join(folder(), 'run/secrets', name), { recursive: true });
    for (const name of [
      'MONGODB_URL',
      'REDIS_URL',
      'SMTP_URL',
      'INTERNAL_SECRET',
      'METADATA_SECRET',
      'HASH_KEY',
    ])
      writeFileSync(
        join(folder(), 'run/secrets/gatehouse', name),
        secrets[name] ?? randomBytes(33).toString('base64'),
      );
    for (const name of ['signing.json', 'master.json'])
      writeFileSync(join(folder(), 'run/secrets/keys', name), '{}');
  };

  it('has nothing that Helm finds fault with, whatever is on', () => {
    for (const values of [least, everything]) {
      const { status, stdout } = lint(folder(), values);
      expect(status, stdout).to.equal(0);
    }
  });

  it('is what Kubernetes takes, with the least values and with all that there are', () => {
    const always = [
      'ConfigMap',
      'Deployment',
      'Deployment',
      'Job',
      'PodDisruptionBudget',
      'PodDisruptionBudget',
    ];
    const services = ['Service', 'Service', 'ServiceAccount'];
    expect(kinds(render(folder(), least))).to.deep.equal([...always, ...services]);
    expect(kinds(render(folder(), everything))).to.deep.equal(
      [...always, ...services, 'HorizontalPodAutoscaler', 'Ingress', 'NetworkPolicy', 'NetworkPolicy'].sort(),
    );
    const nothing = {
      ...least,
      podDisruptionBudget: { enabled: false },
      serviceAccount: { create: false },
      migrate: { enabled: false },
    };
    expect(kinds(render(folder(), nothing))).to.deep.equal([
      'ConfigMap',
      'Deployment',
      'Deployment',
      'Service',
      'Service',
    ]);
  });

  it('starts each container with the settings of a sound installation in production', () => {
    makeFiles();
    for (const [values, kms] of [
      [least, 'local'],
      [everything, 'aws'],
    ] as const) {
      const manifests = render(folder(), values);
      const places = [
        named(manifests, 'Deployment', 'accounts'),
        named(manifests, 'Deployment', 'metadata'),
        named(manifests, 'Job'),
      ];
      for (const place of places) {
        const config = readConfig(environment(manifests, place), folder());
        expect([config.production, config.host, config.kms.kind]).to.deep.equal([true, '0.0.0.0', kms]);
        expect(config.warnings).to.deep.equal([]);
        const files = Object.values(config.secretSources);
        expect(files).to.have.length(6).and.not.include(null);
        if (String(place.kind) === 'Deployment') expect(config.metrics !== null).to.equal(kms === 'aws');
      }
    }
  });

  it('lets the Job alone have the secrets of the owner of the schema', () => {
    const secretsOf = (manifest: Loose) =>
      String(list(manifest.spec?.template?.spec?.volumes)[2]?.secret?.secretName);
    const manifests = render(folder(), { ...least, migrate: { secret: 'owner' } });
    expect(secretsOf(named(manifests, 'Job'))).to.equal('owner');
    for (const service of ['accounts', 'metadata'])
      expect(secretsOf(named(manifests, 'Deployment', service))).to.equal('gatehouse-secrets');
  });

  it('lets no container write to its image, be root, or gain rights', () => {
    const manifests = render(folder(), everything).filter(({ spec }) => spec?.template !== undefined);
    expect(manifests).to.have.length(3);
    for (const manifest of manifests) {
      const pod = manifest.spec?.template?.spec;
      expect(pod).to.deep.include({ enableServiceLinks: false, automountServiceAccountToken: false });
      expect(pod?.securityContext).to.deep.include({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
      const container = containerOf(manifest);
      expect(container.securityContext).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const mounted = list(container.volumeMounts).map(({ name }) => String(name));
      expect(list(pod?.volumes).map(({ name }) => String(name))).to.deep.equal(mounted);
    }
  });

  it('leads each Service, budget, scaler, policy and Ingress to what it is for', () => {
    const manifests = render(folder(), everything);
    for (const service of ['accounts', 'metadata']) {
      const deployment = named(manifests, 'Deployment', service);
      const labels = deployment.spec?.template?.metadata?.labels;
      const selectors = [
        deployment.spec?.selector?.matchLabels,
        named(manifests, 'Service', service).spec?.selector,
        named(manifests, 'PodDisruptionBudget', service).spec?.selector?.matchLabels,
        named(manifests, 'NetworkPolicy', service).spec?.podSelector?.matchLabels,
      ];
      for (const selector of selectors) {
        expect(selector).to.include({ 'app.kubernetes.io/component': service });
        expect(labels).to.deep.include(selector);
      }
      const ports = list(containerOf(deployment).ports).map(({ name }) => String(name));
      expect(ports).to.deep.equal(['http', 'metrics']);
      for (const { targetPort } of list(named(manifests, 'Service', service).spec?.ports))
        expect(ports).to.include(String(targetPort));
    }
    const scaled = named(manifests, 'Deployment', 'accounts');
    expect(scaled.spec).to.not.have.property('replicas');
    expect(String(named(manifests, 'HorizontalPodAutoscaler').spec?.scaleTargetRef?.name)).to.equal(
      String(scaled.metadata?.name),
    );
    const [rule] = list(named(manifests, 'Ingress').spec?.rules);
    const [path] = list(rule?.http?.paths);
    expect(String(path?.backend?.service?.name)).to.equal(
      String(named(manifests, 'Service', 'accounts').metadata?.name),
    );
  });

  it('refuses values that would not do, by name', () => {
    for (const [values, told] of [
      [{}, /PUBLIC_URL/],
      [{ settings: { ...least.settings, PUBLIC_URL: 'http://accounts.example.com' } }, /PUBLIC_URL/],
      [{ settings: { ...least.settings, SYNC_LIMIT_BYTES: 471_859_200 } }, /SYNC_LIMIT_BYTES/],
      [{ ...least, acounts: {} }, /acounts/],
    ] as const) {
      const { status, stderr } = template(folder(), values);
      expect(status).to.equal(1);
      expect(stderr).to.match(told);
    }
  });

  it('is read by a reader that tells a misspelt member', () => {
    const { status, stderr } = readManifests(
      template(folder(), least).stdout.replace('readOnlyRootFilesystem', 'readonlyRootFilesystem'),
    );
    expect(status).to.equal(1);
    expect(stderr).to.include('readonlyRootFilesystem');
  });
});
