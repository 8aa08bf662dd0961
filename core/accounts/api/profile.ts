import type { CustomDomainSet, SetCustomDomain } from '../custom-domain/set-custom-domain.ts';
import type { CustomDomainView } from '../custom-domain/show.ts';
import type { AskEmailChange } from '../email-change/ask.ts';
import type { ConfirmEmailChange } from '../email-change/confirm.ts';
import type { UndoEmailChange } from '../email-change/undo.ts';
import type { Identity } from '../identity.ts';
import type { Caller } from '../needs.ts';
import type { Avatar } from '../profile/avatar.ts';
import type { EndUpload } from '../profile/avatar-uploads.ts';
import type { DeleteAccount } from '../profile/delete-account.ts';
import type { Profile, UpdateProfile } from '../profile/profile.ts';
import type { Security } from '../profile/security.ts';

/** What users see and change of their own: profile, avatar, custom domain, and the account's end. */
export interface OwnAccount {
  /** The user as they see themselves. Reads nothing: `who` has it all. */
  showProfile(who: Identity): { readonly user: Profile };
  /** Changes what is given: the display name, the language of mails. Throws `invalid` (`invalid_display_name`, `invalid_request`). */
  updateProfile(who: Identity, input: UpdateProfile): Promise<{ readonly user: Profile }>;
  /** How the user gets in: password, second factor, passkeys and identities. */
  showSecurity(who: Identity): Promise<Security>;
  /** The user's avatar: its bytes, or an address elsewhere. Throws `missing` (`avatar_not_found`). */
  showAvatar(who: Identity): Promise<Avatar>;
  /**
   * Admits an upload of so many bytes before its body is read, since a body is held in memory whole. Call the result
   * when the bytes are no longer needed. Throws `throttled` (`too_many_uploads`) and `unavailable` (`uploads_full`).
   */
  beginAvatarUpload(who: Pick<Identity, 'user'>, bytes: number): EndUpload;
  /**
   * Takes a JPEG, PNG, WebP or GIF as the new avatar, without its metadata. Throws `refused` (`not_an_image`,
   * `image_too_large`, `image_broken`).
   */
  setAvatar(
    who: Identity,
    bytes: Uint8Array,
    caller: Caller,
  ): Promise<{ readonly avatar: string; readonly message: string }>;
  /** Removes the avatar. Without one nothing changes. */
  removeAvatar(who: Identity, caller: Caller): Promise<{ readonly message: string }>;
  /** The user's custom domain, and the TXT record that verifies it. Throws `forbidden` (`enterprise_only`). */
  showCustomDomain(who: Identity): CustomDomainView;
  /**
   * Sets the user's custom domain in place of the one before, which is free from then on. The same one again changes
   * nothing. Throws `forbidden` (`enterprise_only`), `invalid` (`invalid_domain`, `reserved_domain`), `conflict`
   * (`domain_taken`) and `throttled` (`too_many_domains`).
   */
  setCustomDomain(who: Identity, input: SetCustomDomain, caller: Caller): Promise<CustomDomainSet>;
  /** Gives the custom domain up, whatever the tier; it is free at once. Without one nothing changes. */
  removeCustomDomain(
    who: Identity,
    caller: Caller,
  ): Promise<{ readonly success: true; readonly message: string }>;
  /**
   * Looks for the domain's TXT record. Once it is found, the domain is this user's alone. Throws `forbidden`
   * (`enterprise_only`), `missing` (`domain_not_set`), `conflict` (`domain_taken`), `invalid` (`domain_not_verified`)
   * and `unavailable` (`dns_unavailable`).
   */
  verifyCustomDomain(
    who: Identity,
    caller: Caller,
  ): Promise<{ readonly success: true; readonly domain: string; readonly message: string }>;
  /**
   * Asks for another email: a code goes to the new one, a notice to the old one. The answer is the same for an email that
   * another account has. Throws `forbidden` (`fresh_authentication_needed`), `invalid` (`invalid_email`), `conflict`
   * (`same_email`) and `throttled` (`email_change_held`): 5 a day, or while 3 changes can be taken back.
   */
  askEmailChange(
    who: Identity,
    input: AskEmailChange,
    caller: Caller,
  ): Promise<{ readonly message: string; readonly email: string }>;
  /**
   * Changes the email by the code from the new one, in the session that asked. The user's other sessions end, and the
   * old email gets a code that takes the change back within 7 days. Throws `unauthenticated` (`invalid_code`),
   * `conflict` (`email_taken`) and `throttled` (`verification_held`).
   */
  confirmEmailChange(
    who: Identity,
    input: ConfirmEmailChange,
    caller: Caller,
  ): Promise<{ readonly success: true; readonly email: string }>;
  /** Voids the change that was asked for. Without one nothing changes. */
  cancelEmailChange(who: Identity): Promise<{ readonly success: true }>;
  /**
   * Takes a change of email back, by the code that was mailed to the old one, without a login. Every session ends, and a
   * password, second factor or identity that was added since the change was asked for goes. Throws `unauthenticated`
   * (`invalid_code`), `conflict` (`email_taken`), `throttled` (`verification_held`) and `invalid` (`invalid_email`).
   */
  undoEmailChange(input: UndoEmailChange, caller: Caller): Promise<{ readonly success: true }>;
  /**
   * Deletes the account. From this write on nobody can log in; the data goes right after, or later if something is
   * down. Throws as `reauthenticate` does, and `forbidden` (`fresh_authentication_needed`) where there is no password.
   */
  deleteAccount(who: Identity, input: DeleteAccount, caller: Caller): Promise<{ readonly success: true }>;
}
