import { type SettingContext, setting } from '../declare-setting.ts';
import { baseAddress, text, token } from '../value-kinds.ts';

export const regionName = text('a region such as eu-central-1', /^[a-z0-9-]+$/u);

/** The region that AWS clients take: null where only their configuration file may name one. */
export const commonRegion = ({ texts }: SettingContext): string | null =>
  texts.AWS_REGION ?? texts.AWS_DEFAULT_REGION ?? null;

/** The options of every AWS client, under AWS's own names. */
export const aws = {
  /** Region of AWS. Example: `eu-central-1`. */
  region: setting('AWS_REGION', regionName, {
    byDefault: "that of the key's ARN, or of the AWS configuration file",
    orElse: ({ texts }) => texts.AWS_DEFAULT_REGION ?? null,
  }),
  /** The same; used when `AWS_REGION` is not set. */
  defaultRegion: setting('AWS_DEFAULT_REGION', regionName),
  /**
   * Another base address of AWS; used where `AWS_ENDPOINT_URL_KMS` or `S3_ENDPOINT` is not set. Example:
   * `http://localhost:4566`.
   */
  commonEndpoint: setting('AWS_ENDPOINT_URL', baseAddress),
  /** Needs `AWS_SECRET_ACCESS_KEY` beside it. */
  accessKeyId: setting('AWS_ACCESS_KEY_ID', token('printable ASCII'), {
    byDefault: 'found where AWS clients look: profile, container, machine',
    check: (id, { texts }) =>
      id === null && texts.AWS_SECRET_ACCESS_KEY && 'be set beside AWS_SECRET_ACCESS_KEY',
  }),
  /** Needs `AWS_ACCESS_KEY_ID` beside it. */
  secretAccessKey: setting('AWS_SECRET_ACCESS_KEY', token('printable ASCII'), {
    check: (key, { texts }) => key === null && texts.AWS_ACCESS_KEY_ID && 'be set beside AWS_ACCESS_KEY_ID',
  }),
  /** For temporary credentials. They expire: prefer a profile or the machine role, which renew them. */
  sessionToken: setting('AWS_SESSION_TOKEN', token('printable ASCII')),
};
