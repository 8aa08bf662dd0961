import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../../adapters/config.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import {
  type AnyJson,
  imageSettings,
  lint,
  minimalValues,
  readManifests,
  render,
  template,
} from './render.ts';

const allValues = {
  ...minimalValues,
  settings: {
    ...minimalValues.settings,
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

const list = (value: AnyJson | undefined): readonly AnyJson[] =>
  (value ?? []) as unknown as readonly AnyJson[];

describe('The Helm chart', () => {
  const folder = useTempFolder();
  const manifestOf = (manifests: readonly AnyJson[], kind: string, name = '') =>
    manifests.find((item) => String(item.kind) === kind && String(item.metadata?.name).endsWith(name)) ??
    expect.fail(`There is no ${kind} ${name}.`);
  const kinds = (manifests: readonly AnyJson[]) => manifests.map(({ kind }) => String(kind)).sort();
  const containerOf = (manifest: AnyJson) =>
    list(manifest.spec?.template?.spec?.containers)[0] ?? expect.fail();

  /** The environment of the container of a Deployment or Job, with its mounted files in the test's folder. */
  const environment = (
    manifests: readonly AnyJson[],
    manifest: AnyJson,
  ): Readonly<Record<string, string>> => {
    const container = containerOf(manifest);
    const settings = list(container.envFrom).length > 0 ? manifestOf(manifests, 'ConfigMap').data : {};
    const env = list(container.env).map(({ name, value }) => [String(name), String(value)]);
    const inFolder = (value: string) => (value.startsWith('/') ? join(folder(), value) : value);
    return Object.fromEntries(
      Object.entries({ ...imageSettings(), ...settings, ...Object.fromEntries(env) }).map(([name, value]) => [
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

  it('passes `helm lint` with minimal and with all values', () => {
    for (const values of [minimalValues, allValues]) {
      const { status, stdout } = lint(folder(), values);
      expect(status, stdout).to.equal(0);
    }
  });

  it('renders valid manifests of the expected kinds with minimal and with all values', () => {
    const always = [
      'ConfigMap',
      'Deployment',
      'Deployment',
      'Job',
      'PodDisruptionBudget',
      'PodDisruptionBudget',
    ];
    const services = ['Service', 'Service', 'ServiceAccount'];
    expect(kinds(render(folder(), minimalValues))).to.deep.equal([...always, ...services]);
    expect(kinds(render(folder(), allValues))).to.deep.equal(
      [...always, ...services, 'HorizontalPodAutoscaler', 'Ingress', 'NetworkPolicy', 'NetworkPolicy'].sort(),
    );
    const fewestParts = {
      ...minimalValues,
      podDisruptionBudget: { enabled: false },
      serviceAccount: { create: false },
      migrate: { enabled: false },
    };
    expect(kinds(render(folder(), fewestParts))).to.deep.equal([
      'ConfigMap',
      'Deployment',
      'Deployment',
      'Service',
      'Service',
    ]);
  });

  it('starts each container with valid production settings', () => {
    makeFiles();
    for (const [values, kms] of [
      [minimalValues, 'local'],
      [allValues, 'aws'],
    ] as const) {
      const manifests = render(folder(), values);
      const workloads = [
        manifestOf(manifests, 'Deployment', 'accounts'),
        manifestOf(manifests, 'Deployment', 'metadata'),
        manifestOf(manifests, 'Job'),
      ];
      for (const manifest of workloads) {
        const config = readConfig(environment(manifests, manifest), folder());
        expect([config.production, config.host, config.kms.kind]).to.deep.equal([true, '0.0.0.0', kms]);
        expect(config.warnings).to.deep.equal([]);
        const files = Object.values(config.secretSources);
        expect(files).to.have.length(6).and.not.include(null);
        if (String(manifest.kind) === 'Deployment') expect(config.metrics !== null).to.equal(kms === 'aws');
      }
    }
  });

  it('mounts the secrets of the schema owner only in the Job', () => {
    const secretsOf = (manifest: AnyJson) =>
      String(list(manifest.spec?.template?.spec?.volumes)[2]?.secret?.secretName);
    const manifests = render(folder(), { ...minimalValues, migrate: { secret: 'owner' } });
    expect(secretsOf(manifestOf(manifests, 'Job'))).to.equal('owner');
    for (const service of ['accounts', 'metadata'])
      expect(secretsOf(manifestOf(manifests, 'Deployment', service))).to.equal('gatehouse-secrets');
  });

  it('runs each container as non-root, read-only and without privilege escalation', () => {
    const manifests = render(folder(), allValues).filter(({ spec }) => spec?.template !== undefined);
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

  it('connects each Service, budget, autoscaler, policy and Ingress to its target', () => {
    const manifests = render(folder(), allValues);
    for (const service of ['accounts', 'metadata']) {
      const deployment = manifestOf(manifests, 'Deployment', service);
      const labels = deployment.spec?.template?.metadata?.labels;
      const selectors = [
        deployment.spec?.selector?.matchLabels,
        manifestOf(manifests, 'Service', service).spec?.selector,
        manifestOf(manifests, 'PodDisruptionBudget', service).spec?.selector?.matchLabels,
        manifestOf(manifests, 'NetworkPolicy', service).spec?.podSelector?.matchLabels,
      ];
      for (const selector of selectors) {
        expect(selector).to.include({ 'app.kubernetes.io/component': service });
        expect(labels).to.deep.include(selector);
      }
      const ports = list(containerOf(deployment).ports).map(({ name }) => String(name));
      expect(ports).to.deep.equal(['http', 'metrics']);
      for (const { targetPort } of list(manifestOf(manifests, 'Service', service).spec?.ports))
        expect(ports).to.include(String(targetPort));
    }
    const accountsDeployment = manifestOf(manifests, 'Deployment', 'accounts');
    expect(accountsDeployment.spec).to.not.have.property('replicas');
    expect(String(manifestOf(manifests, 'HorizontalPodAutoscaler').spec?.scaleTargetRef?.name)).to.equal(
      String(accountsDeployment.metadata?.name),
    );
    const [rule] = list(manifestOf(manifests, 'Ingress').spec?.rules);
    const [path] = list(rule?.http?.paths);
    expect(String(path?.backend?.service?.name)).to.equal(
      String(manifestOf(manifests, 'Service', 'accounts').metadata?.name),
    );
  });

  it('refuses invalid values and names them', () => {
    for (const [values, message] of [
      [{}, /PUBLIC_URL/],
      [{ settings: { ...minimalValues.settings, PUBLIC_URL: 'http://accounts.example.com' } }, /PUBLIC_URL/],
      [{ settings: { ...minimalValues.settings, SYNC_LIMIT_BYTES: 471_859_200 } }, /SYNC_LIMIT_BYTES/],
      [{ ...minimalValues, acounts: {} }, /acounts/],
    ] as const) {
      const { status, stderr } = template(folder(), values);
      expect(status).to.equal(1);
      expect(stderr).to.match(message);
    }
  });

  it('is validated by a reader that reports a misspelt member', () => {
    const { status, stderr } = readManifests(
      template(folder(), minimalValues).stdout.replace('readOnlyRootFilesystem', 'readonlyRootFilesystem'),
    );
    expect(status).to.equal(1);
    expect(stderr).to.include('readonlyRootFilesystem');
  });
});
