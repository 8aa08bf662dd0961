import { expect } from 'chai';
import { accountCalls } from '../../../../core/accounts/accounts-module.ts';
import { defaultAccountsPolicy } from '../../../../core/accounts/policy.ts';
import { userOf } from '../../../../core/accounts/principal.ts';
import { makeBeginAvatarUpload } from '../../../../core/accounts/profile/avatar.ts';
import { problemOf, TEXT } from '../../../../core/schema.ts';
import { sampleAccount } from '../../../contracts/samples.ts';

const policy = { ...defaultAccountsPolicy, avatarUploadsPerUser: 2, avatarUploadBytes: 1_000 };

describe('Avatar uploads in progress', () => {
  const open = () => {
    const begin = makeBeginAvatarUpload({ policy });
    return (id: string, bytes = 1) => begin({ user: userOf(sampleAccount(id)) }, bytes);
  };
  const refusal = (call: () => unknown): unknown => {
    try {
      call();
    } catch (error) {
      return error;
    }
    return undefined;
  };

  it('are limited to two for each user', () => {
    const begin = open();
    const [end] = [begin('ada'), begin('ada')];
    expect(refusal(() => begin('ada'))).to.include({ kind: 'throttled', code: 'too_many_uploads' });
    begin('grace');
    end();
    begin('ada');
    expect(refusal(() => begin('ada'))).to.include({ code: 'too_many_uploads' });
  });

  it('are limited in their total number of bytes', () => {
    const begin = open();
    const end = begin('ada', 600);
    begin('grace', 400);
    const error = refusal(() => begin('joan', 1));
    expect(error).to.include({ kind: 'unavailable', code: 'uploads_full' });
    expect(error).to.have.nested.property('facts.retryAfter').that.is.greaterThan(0);
    end();
    begin('joan', 600);
    expect(refusal(() => begin('ada', 1))).to.include({ code: 'uploads_full' });
  });

  it('refuse a size that is not a whole number of bytes', () => {
    const [, { bytes = TEXT }] = accountCalls.beginAvatarUpload;
    for (const size of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(problemOf(bytes, size, 'bytes')).to.equal("'bytes' must be a whole number from 0 on.");
    }
    expect(problemOf(bytes, 0, 'bytes')).to.equal(undefined);
  });

  it('are released once, and do not count if they were refused', () => {
    const begin = open();
    const end = begin('ada', 500);
    refusal(() => begin('grace', 501));
    for (let times = 0; times < 3; times += 1) end();
    begin('grace', 500);
    begin('grace', 500);
    expect(refusal(() => begin('joan', 1))).to.include({ code: 'uploads_full' });
  });
});
