import type { LetterFacts, Phrasebook } from './phrasebook.ts';

const minutes = (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'}`;

const secrecy = ({ productName }: LetterFacts) =>
  `Keep it to yourself: nobody from ${productName} will ever ask you for it.`;

const codesLeft = (count: number) => {
  if (count === 0) return 'None is left: create new ones in your account settings.';
  return count === 1 ? '1 recovery code is left.' : `${count} recovery codes are left.`;
};

export const english: Phrasebook = {
  greeting: 'Hello,',
  closing: 'This email was sent automatically.',
  foot: { support: 'Help', terms: 'Terms', privacy: 'Privacy' },
  circumstances: { at: 'When', address: 'IP address' },
  letters: {
    verify: (facts) => ({
      subject: `Your ${facts.productName} verification code`,
      text: [
        `Enter this code to confirm this email address for ${facts.productName}:`,
        { code: facts.code },
        `The code is valid for ${minutes(facts.minutes)} from the moment it was requested. ${secrecy(facts)}`,
        // Empty if no earlier registration was replaced.
        ...(facts.replacedAt === ''
          ? []
          : [
              `Note: an earlier registration of this email address was replaced by a new one at ${facts.replacedAt}. If you did not do that yourself, do not use this code.`,
            ]),
        'If you did not ask for a code, you can ignore this email: nothing happens without the code.',
      ],
    }),
    reset: (facts) => ({
      subject: `Your ${facts.productName} password reset code`,
      text: [
        `We were asked to set a new password for your ${facts.productName} account. If that was you, enter this code:`,
        { code: facts.code },
        `The code can be used once and is valid for ${minutes(facts.minutes)} from the moment it was requested. ${secrecy(facts)}`,
        'If it was not you, you can ignore this email: your password stays as it is.',
      ],
    }),
    'password-changed': (facts) => ({
      subject: `Your ${facts.productName} password was changed`,
      text: `The password of your ${facts.productName} account was changed. Other devices were signed out.`,
      advice:
        'If this was you, you can ignore this email. If it was not you, reset your password right away, using this email address.',
    }),
    'password-set': (facts) => ({
      subject: `Your ${facts.productName} account now has a password`,
      text: `A password was set for your ${facts.productName} account, which had none. Other devices were signed out.`,
      advice:
        'If this was you, you can ignore this email. If it was not you, reset the password right away, using this email address.',
    }),
    'two-factor-on': (facts) => ({
      subject: `Two-factor authentication is on for ${facts.productName}`,
      text: `Two-factor authentication was turned on for your ${facts.productName} account. Signing in now also requires a second factor: a code from your authenticator app, a passkey, or a recovery code. Other devices were signed out.`,
      advice: `If this was not you, someone may have access to your account. Reset your password right away and contact ${facts.productName} support.`,
    }),
    // If the address is empty, an operator turned it off, which ends every session.
    'two-factor-off': (facts) => ({
      subject: `Two-factor authentication is off for ${facts.productName}`,
      text: `Two-factor authentication was turned off for your ${facts.productName} account. Signing in no longer requires a second factor. ${facts.address === '' ? 'All' : 'Other'} devices were signed out.`,
      advice:
        'If this was not you, reset your password right away and turn two-factor authentication on again.',
    }),
    'recovery-code-used': (facts) => ({
      subject: `A ${facts.productName} recovery code was used`,
      text: `A recovery code of your ${facts.productName} account was used as the second factor. It no longer works. ${codesLeft(facts.left)}`,
      advice: 'If this was not you, reset your password right away and create new recovery codes.',
    }),
    'recovery-codes-renewed': (facts) => ({
      subject: `New ${facts.productName} recovery codes were created`,
      text: `New recovery codes were created for your ${facts.productName} account. The earlier ones no longer work.`,
      advice:
        'If this was not you, reset your password right away, sign in with your authenticator app or a passkey, and create new recovery codes.',
    }),
    'session-stolen': (facts) => ({
      subject: `A ${facts.productName} session was ended for safety`,
      text: `A session key of your ${facts.productName} account was used a second time. Someone may have copied it, so we ended that session.`,
      advice:
        'To continue on that device, just sign in again. If you do not recognise this, change your password and end your other sessions.',
    }),
    'email-change-code': (facts) => ({
      subject: `Your code for a new ${facts.productName} email address`,
      text: [
        `Enter this code to make this the email address of your ${facts.productName} account:`,
        { code: facts.code },
        `The code is valid for ${minutes(facts.minutes)} from the moment it was requested, on the device that requested it. ${secrecy(facts)}`,
      ],
      advice: 'If you did not ask for a code, you can ignore this email: nothing happens without the code.',
    }),
    'email-change-asked': (facts) => ({
      subject: `An email change was requested for your ${facts.productName} account`,
      text: `Someone who is signed in to your ${facts.productName} account asked to change its email address. Until the new address is confirmed, nothing changes.`,
      advice:
        'If this was you, you can ignore this email. If it was not you, change your password right away: this stops the change.',
    }),
    // If there is no code to undo the change, an operator made it, which ends no session.
    'email-changed': (facts) => ({
      subject: `The email address of your ${facts.productName} account was changed`,
      text: `Your ${facts.productName} account has another email address from now on${facts.code === '' ? ': our support changed it on request' : ''}. You sign in with the new address, and emails are sent there.${facts.code === '' ? '' : ' Other devices were signed out.'} Codes that were sent to this address before no longer work.`,
      advice:
        facts.code === ''
          ? `If you did not ask for this, contact ${facts.productName} support right away.`
          : [
              `If this was not you, undo the change in ${facts.productName} within 7 days, with this email address and this code:`,
              { code: facts.code },
              'This signs out all devices and removes any password, second factor or other sign-in method that was added since. Set a new password right afterwards.',
            ],
    }),
    'email-set': (facts) => ({
      subject: `Your ${facts.productName} account now has this email address`,
      text: `This is the email address of your ${facts.productName} account from now on: our support changed it on request. Sign in with it. Your password does not change, and your devices stay signed in.`,
      advice: `If you did not ask for this, contact ${facts.productName} support right away.`,
    }),
    'welcome-by-provider': (facts) => ({
      subject: `Welcome to ${facts.productName}`,
      text: `A ${facts.productName} account was created for this email address by signing in with ${facts.provider}. You sign in the same way next time; the account has no password until you set one.`,
      advice:
        'If this was not you, reset the password right away, using this email address: then remove what you did not add.',
    }),
    'passkey-added': (facts) => ({
      subject: `A passkey was added to your ${facts.productName} account`,
      text: `The passkey "${facts.passkey}" can now be used to sign in to your ${facts.productName} account.`,
      advice:
        'If this was you, you can ignore this email. If it was not you, remove the passkey in your account settings, and change your password right away.',
    }),
    'passkey-removed': (facts) => ({
      subject: `A passkey was removed from your ${facts.productName} account`,
      text: `The passkey "${facts.passkey}" can no longer be used to sign in to your ${facts.productName} account. Your device may still show it; you can delete it there.`,
      advice:
        'If this was you, you can ignore this email. If it was not you, change your password right away.',
    }),
    'passkey-copied': (facts) => ({
      subject: `A passkey of your ${facts.productName} account may have been copied`,
      text: `The passkey "${facts.passkey}" was used in a way that its device alone cannot explain: someone may have a copy of it. We refused it, and it can no longer be used to sign in to your ${facts.productName} account.`,
      advice: 'Sign in another way, remove the passkey in your account settings, and create a new one.',
    }),
    'identity-linked': (facts) => ({
      subject: `${facts.provider} was connected to your ${facts.productName} account`,
      text: `You can now sign in to your ${facts.productName} account with ${facts.provider}.`,
      advice:
        'If this was you, you can ignore this email. If it was not you, remove it in your account settings, and change your password right away.',
    }),
    'identity-unlinked': (facts) => ({
      subject: `${facts.provider} was disconnected from your ${facts.productName} account`,
      text: `You can no longer sign in to your ${facts.productName} account with ${facts.provider}.`,
      advice:
        'If this was you, you can ignore this email. If it was not you, change your password right away.',
    }),
    'operator-appointed': (facts) => ({
      subject: `You are now an operator of ${facts.productName}`,
      text: `Your ${facts.productName} account has the operator role "${facts.role}" from now on.`,
      advice: `If you did not expect this, contact the other operators of ${facts.productName} right away.`,
    }),
    'operator-dismissed': (facts) => ({
      subject: `You are no longer an operator of ${facts.productName}`,
      text: `Your ${facts.productName} account no longer has an operator role. The account itself does not change.`,
      advice: `If you did not expect this, contact the other operators of ${facts.productName} right away.`,
    }),
    'operators-changed': (facts) => ({
      subject: `An operator of ${facts.productName} was changed`,
      text: [
        `All founders of ${facts.productName} get this email: someone was made an operator, got another role, or is no longer an operator.`,
        {
          details: [
            ['Account', facts.operator],
            ['Role before', facts.formerRole || 'none'],
            ['Role now', facts.role || 'none'],
            ['Changed by', facts.actor],
          ],
        },
      ],
      advice:
        'If you do not know why, look at the audit log right away. If the change was not intended, undo it, and end the sessions of whoever made it.',
    }),
    'app-signed-in': (facts) => ({
      subject: `${facts.app} was signed in to your ${facts.productName} account`,
      text: `${facts.app} was signed in to your ${facts.productName} account, from a browser where you were signed in already. It stays signed in until that browser is signed out.`,
      advice:
        'If this was you, you can ignore this email. If it was not you, sign out all other sessions in your account settings, and change your password right away.',
    }),
    'account-deletion-waits': (facts) => ({
      subject: `Your ${facts.productName} account was deleted`,
      text: `Your ${facts.productName} account was deleted: nobody can sign in to it. Its email was changed recently, so its data is kept until ${facts.until}, and then permanently erased. Until then nobody can sign up with the old address.`,
      advice:
        'If this was you, you can ignore this email. If it was not you, undo the email change before then, with the code that we sent to the old address: this restores the account, too.',
    }),
    'account-deleted': (facts) => ({
      subject: `Your ${facts.productName} account was deleted`,
      text: `Your ${facts.productName} account was deleted together with its data. This cannot be undone.`,
      advice: `If this was not you, contact ${facts.productName} support right away.`,
    }),
  },
};
