import { details, type LetterFacts, type Phrasebook } from './phrasebook.ts';

const minutes = (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'}`;

const secrecy = ({ productName }: LetterFacts) =>
  `Keep it to yourself: nobody from ${productName} will ever ask you for it.`;

const circumstances = ({ at, address }: LetterFacts) => details(['When', at], ['From address', address]);

const codesLeft = (left: number) => {
  if (left === 0) return 'None is left: please make new ones in your account settings.';
  return left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`;
};

export const english: Phrasebook = {
  greeting: 'Hello,',
  closing: 'This message was sent automatically.',
  foot: { support: 'Help', terms: 'Terms', privacy: 'Privacy' },
  letters: {
    verify: (facts) => ({
      subject: `Your ${facts.productName} verification code`,
      blocks: [
        `Please enter this code to confirm this email address for ${facts.productName}:`,
        { code: facts.code },
        `The code works for ${minutes(facts.minutes)} from the moment it was asked for. ${secrecy(facts)}`,
        ...(facts.replacedAt === undefined
          ? []
          : [
              `Please note: an earlier registration of this email address was replaced by a new one at ${facts.replacedAt}. If you did not do that yourself, do not use this code.`,
            ]),
        'If you did not ask for a code, you can ignore this message: nothing happens without the code.',
      ],
    }),
    reset: (facts) => ({
      subject: `Your ${facts.productName} password reset code`,
      blocks: [
        `We were asked to set a new password for your ${facts.productName} account. If that was you, please enter this code:`,
        { code: facts.code },
        `The code works once, for ${minutes(facts.minutes)} from the moment it was asked for. ${secrecy(facts)}`,
        'If it was not you, you can ignore this message: your password stays as it is.',
      ],
    }),
    'password-changed': (facts) => ({
      subject: `Your ${facts.productName} password was changed`,
      blocks: [
        `The password of your ${facts.productName} account was changed. Other devices were logged out.`,
        ...circumstances(facts),
        'If this was you, there is nothing to do. If it was not you, please reset your password at once, using this email address.',
      ],
    }),
    'password-set': (facts) => ({
      subject: `Your ${facts.productName} account has a password now`,
      blocks: [
        `A password was set for your ${facts.productName} account, which had none. Other devices were logged out.`,
        ...circumstances(facts),
        'If this was you, there is nothing to do. If it was not you, please reset the password at once, using this email address.',
      ],
    }),
    'two-factor-on': (facts) => ({
      subject: `Two-factor authentication is on for ${facts.productName}`,
      blocks: [
        `Two-factor authentication was switched on for your ${facts.productName} account. Logging in now also takes a second factor: a code from your authenticator app, a passkey, or a recovery code. Other devices were logged out.`,
        ...circumstances(facts),
        `If this was not you, somebody may have access to your account. Please reset your password at once and contact the support of ${facts.productName}.`,
      ],
    }),
    'two-factor-off': (facts) => ({
      subject: `Two-factor authentication is off for ${facts.productName}`,
      blocks: [
        `Two-factor authentication was switched off for your ${facts.productName} account. Logging in now takes the password alone.`,
        ...circumstances(facts),
        'If this was not you, please reset your password at once and switch two-factor authentication on again.',
      ],
    }),
    'recovery-code-used': (facts) => ({
      subject: `A ${facts.productName} recovery code was used`,
      blocks: [
        `A recovery code of your ${facts.productName} account was used in place of a code from your authenticator app. It does not work any more. ${codesLeft(facts.left)}`,
        ...circumstances(facts),
        'If this was not you, please reset your password at once and make new recovery codes.',
      ],
    }),
    'recovery-codes-renewed': (facts) => ({
      subject: `New ${facts.productName} recovery codes were made`,
      blocks: [
        `New recovery codes were made for your ${facts.productName} account. The earlier ones do not work any more.`,
        ...circumstances(facts),
        'If this was not you, please reset your password at once, log in with your authenticator app and make new recovery codes.',
      ],
    }),
    'session-stolen': (facts) => ({
      subject: `A ${facts.productName} session was ended for safety`,
      blocks: [
        `A session key of your ${facts.productName} account that had been used already was sent to us again. Somebody may have copied it, so we ended that session.`,
        ...circumstances(facts),
        'To go on using that device, just log in again. If you do not recognise this, please change your password and end your other sessions.',
      ],
    }),
    'email-change-code': (facts) => ({
      subject: `Your code for a new ${facts.productName} email address`,
      blocks: [
        `Please enter this code to make this the email address of your ${facts.productName} account:`,
        { code: facts.code },
        `The code works for ${minutes(facts.minutes)} from the moment it was asked for, on the device where you asked. ${secrecy(facts)}`,
        ...circumstances(facts),
        'If you did not ask for a code, you can ignore this message: nothing happens without the code.',
      ],
    }),
    'email-change-asked': (facts) => ({
      subject: `A new email address was asked for in your ${facts.productName} account`,
      blocks: [
        `Somebody who is logged in to your ${facts.productName} account asked to change its email address. Until the new address is confirmed, nothing changes.`,
        ...circumstances(facts),
        'If this was you, there is nothing to do here. If it was not you, please change your password at once: this stops the change.',
      ],
    }),
    'email-changed': (facts) => ({
      subject: `The email address of your ${facts.productName} account was changed`,
      blocks: [
        `Your ${facts.productName} account has another email address from now on${facts.code === '' ? ': our support changed it on request' : ''}. You log in with the new address, and messages are sent there. Codes that were sent to this address before no longer work.`,
        ...circumstances(facts),
        ...(facts.code === ''
          ? [`If you did not ask for this, please contact the support of ${facts.productName} without delay.`]
          : [
              `If this was not you, please take it back in ${facts.productName} within 7 days, with this email address and this code:`,
              { code: facts.code },
              'Then all devices are logged out, and a password, second factor or other way to log in that was added since goes, too. Please set a new password right after.',
            ]),
      ],
    }),
    'email-set': (facts) => ({
      subject: `Your ${facts.productName} account has this email address now`,
      blocks: [
        `This is the email address of your ${facts.productName} account from now on: our support changed it on request. Please log in with it. Your password stays as it is, and devices that are logged in stay so.`,
        ...circumstances(facts),
        `If you did not ask for this, please contact the support of ${facts.productName} without delay.`,
      ],
    }),
    'welcome-by-provider': (facts) => ({
      subject: `Welcome to ${facts.productName}`,
      blocks: [
        `This email address has a ${facts.productName} account now: it was made by signing in with ${facts.provider}. You log in in the same way; the account has no password until you set one.`,
        ...circumstances(facts),
        'If this was not you, please reset the password at once, using this email address: then remove what you did not add.',
      ],
    }),
    'passkey-added': (facts) => ({
      subject: `A passkey was added to your ${facts.productName} account`,
      blocks: [
        `The passkey "${facts.passkey}" opens your ${facts.productName} account from now on.`,
        ...circumstances(facts),
        'If this was you, there is nothing to do. If it was not you, please remove the passkey in your account settings, and change your password at once.',
      ],
    }),
    'passkey-removed': (facts) => ({
      subject: `A passkey was removed from your ${facts.productName} account`,
      blocks: [
        `The passkey "${facts.passkey}" no longer opens your ${facts.productName} account. Your device may still show it; it can be deleted there.`,
        ...circumstances(facts),
        'If this was you, there is nothing to do. If it was not you, please change your password at once.',
      ],
    }),
    'passkey-copied': (facts) => ({
      subject: `A passkey of your ${facts.productName} account may have been copied`,
      blocks: [
        `The passkey "${facts.passkey}" was used in a way that its device alone cannot explain: somebody may have a copy of it. We refused it, and it opens your ${facts.productName} account no more.`,
        ...circumstances(facts),
        'Please log in another way, remove the passkey in your account settings, and make a new one.',
      ],
    }),
    'identity-linked': (facts) => ({
      subject: `${facts.provider} opens your ${facts.productName} account now`,
      blocks: [
        `Your ${facts.productName} account can be opened by signing in with ${facts.provider} from now on.`,
        ...circumstances(facts),
        'If this was you, there is nothing to do. If it was not you, please remove it in your account settings, and change your password at once.',
      ],
    }),
    'identity-unlinked': (facts) => ({
      subject: `${facts.provider} no longer opens your ${facts.productName} account`,
      blocks: [
        `Signing in with ${facts.provider} no longer opens your ${facts.productName} account.`,
        ...circumstances(facts),
        'If this was you, there is nothing to do. If it was not you, please change your password at once.',
      ],
    }),
    'account-deleted': (facts) => ({
      subject: `Your ${facts.productName} account was deleted`,
      blocks: [
        `Your ${facts.productName} account was deleted together with its data. This cannot be undone.`,
        ...circumstances(facts),
        `If this was not you, please contact the support of ${facts.productName} without delay.`,
      ],
    }),
  },
};
