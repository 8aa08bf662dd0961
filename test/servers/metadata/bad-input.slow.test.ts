import { metadataRoutes } from '../../../servers/metadata/routes.ts';
import { testBadInput } from '../bad-input.ts';

/** Codes of single fields, which replace `invalid_request`. */
const FIELD_CODES = ['invalid_dek', 'invalid_enc_dek'];

testBadInput({
  name: 'metadata service',
  url: ({ metadataUrl }) => metadataUrl,
  routes: ({ composition }) => metadataRoutes(composition.files),
  admit: async ({ composition }) => {
    const [secret = ''] = composition.metadataSecrets;
    return () => ({ 'x-internal-secret': secret });
  },
  codeIn: 'error',
  codeFor: (status, code) => (status === 400 && !FIELD_CODES.includes(code) ? 'invalid_request' : code),
  unknownId: 'not_found',
});
