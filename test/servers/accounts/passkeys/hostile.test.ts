import { expect } from 'chai';
import { corruptBase64url } from '../../../support/passkeys/corrupt-base64url.ts';
import { useService } from '../../../support/service.ts';
import { makePasskeyCalls, outcome, PASSKEYS_ON } from './passkey-calls.ts';

const ANSWERS = process.env.LONG === undefined ? 40 : 1_000;
const LONGEST = 30_000;

/** An answer of an authenticator whose fields are texts. */
interface Answer {
  readonly id: string;
  readonly rawId: string;
  readonly response: Readonly<Record<string, unknown>>;
}

/** The answer with one field corrupted. */
const spoil = (answer: Answer, field: string): Answer => {
  const { response } = answer;
  if (field === 'id') {
    // The body has the id twice, and must stay within 64 KiB.
    const id = corruptBase64url(answer.id, LONGEST / 2);
    return { ...answer, id, rawId: id };
  }
  // DER parsers may stop at the end of a signature, and ignore the bytes after it.
  const longest = field === 'signature' ? 0 : LONGEST;
  return {
    ...answer,
    response: { ...response, [field]: corruptBase64url(String(response[field]), longest) },
  };
};

describe('Corrupted answers of authenticators (B8)', function () {
  this.timeout(600_000);
  const service = useService(PASSKEYS_ON);
  const { add, begin, beginLogin, created, list, post, remove, signed } = makePasskeyCalls(service);

  it('are refused at registration, unless the device does not sign the changed bytes', async () => {
    const fields = ['attestationObject', 'attestationObject', 'clientDataJSON', 'id'];
    const user = await service().signUp();
    let begun = await begin(user);
    let refused = 0;
    for (let number = 0; number < ANSWERS; number += 1) {
      const { body } = created(begun);
      const field = fields[number % fields.length] ?? '';
      const credential = spoil(body.credential as unknown as Answer, field);
      const reply = await post('passkeys', { ...body, credential }, user);
      if (reply.status === 200) {
        // For example bytes of the AAGUID, or of an optional member in the client data: with attestation
        // `none` the device signs neither.
        expect(field).not.to.equal('id');
        await remove(user, String(reply.body.passkey?.id));
        begun = await begin(user);
      } else {
        expect(outcome(reply), field).to.deep.equal([400, 'invalid_passkey']);
        refused += 1;
      }
    }
    expect(refused).to.be.at.least(ANSWERS / 2);
    expect((await list(user)).body.passkeys).to.deep.equal([]);
    // The refusals did not spend the challenge.
    expect((await post('passkeys', created(begun).body, user)).status).to.equal(200);
  });

  it('are refused at login, and do not spend the challenge', async () => {
    const fields = ['authenticatorData', 'clientDataJSON', 'signature', 'userHandle', 'id'];
    const { credential } = await add(await service().signUp());
    const begun = await beginLogin();
    for (let number = 0; number < ANSWERS; number += 1) {
      const body = signed(begun, credential);
      const field = fields[number % fields.length] ?? '';
      const answer = spoil(body.credential as unknown as Answer, field);
      const reply = await post('login/passkey', { ...body, credential: answer });
      expect(outcome(reply), field).to.deep.equal([401, 'invalid_passkey']);
    }
    expect((await post('login/passkey', signed(begun, credential))).status).to.equal(200);
  });
});
