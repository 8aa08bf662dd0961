import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Creates a self-signed certificate for 127.0.0.1 in the folder by openssl. */
export const makeCertificate = (
  folder: string,
  name: string,
): { readonly cert: string; readonly key: string } => {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const keyArgs = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const nameArgs = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...keyArgs, ...nameArgs, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  return { cert, key };
};
