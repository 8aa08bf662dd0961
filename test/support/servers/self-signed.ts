import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** A certificate for 127.0.0.1 that signed itself, made by openssl in the folder: its own authority. */
export const makeCertificate = (
  folder: string,
  name: string,
): { readonly cert: string; readonly key: string } => {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const named = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...made, ...named, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  return { cert, key };
};
