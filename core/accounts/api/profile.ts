import type { OnlyMessage, Success } from '../../answer-schemas.ts';
import type { Caller } from '../caller.ts';
import type { CodeMailed } from '../code-mail-limits.ts';
import type { RemoveCustomDomainResult } from '../custom-domain/remove-custom-domain.ts';
import type { SetCustomDomainInput, SetCustomDomainResult } from '../custom-domain/set-custom-domain.ts';
import type { CustomDomainView } from '../custom-domain/show-custom-domain.ts';
import type { VerifyCustomDomainResult } from '../custom-domain/verify-custom-domain.ts';
import type { AskEmailChangeInput } from '../email-change/ask-email-change.ts';
import type {
  ConfirmEmailChangeInput,
  ConfirmEmailChangeResult,
} from '../email-change/confirm-email-change.ts';
import type { UndoEmailChangeInput, UndoEmailChangeResult } from '../email-change/undo-email-change.ts';
import type { Principal } from '../principal.ts';
import type { Avatar, EndUpload, SetAvatarResult } from '../profile/avatar.ts';
import type { DeleteAccountInput } from '../profile/delete-account.ts';
import type { ProfileAnswer, UpdateProfileInput } from '../profile/profile.ts';
import type { Security } from '../profile/security-overview.ts';
import type { ChargeAllowance } from '../throttle-keys.ts';

/** The user's own profile, avatar, custom domain, email and account deletion. */
export interface OwnAccount {
  /** Does not read the store: `who` has all data. */
  showProfile(who: Principal): ProfileAnswer;
  /**
   * Changes the display name or the language of mails. Throws `invalid` (`invalid_display_name`, `invalid_request`).
   */
  updateProfile(who: Principal, input: UpdateProfileInput): Promise<ProfileAnswer>;
  /** The user's sign-in methods: password, second factor, passkeys and identities. */
  showSecurity(who: Principal): Promise<Security>;
  /** The user's avatar: its bytes, or an external address. Throws `missing` (`avatar_not_found`). */
  showAvatar(who: Principal): Promise<Avatar>;
  /**
   * Admits an upload of this size before its body is read, since the whole body is held in memory. Call the result once
   * the bytes are no longer needed. Throws `throttled` (`too_many_uploads`) and `unavailable` (`uploads_full`).
   */
  beginAvatarUpload(who: Pick<Principal, 'user'>, bytes: number): EndUpload;
  /**
   * Sets a JPEG, PNG, WebP or GIF as the new avatar, without its metadata. Throws `refused` (`not_an_image`,
   * `image_too_large`, `image_broken`).
   */
  setAvatar(who: Principal, bytes: Uint8Array, caller: Caller): Promise<SetAvatarResult>;
  /** Removes the avatar. Does nothing without an avatar. */
  removeAvatar(who: Principal, caller: Caller): Promise<OnlyMessage>;
  /** The user's custom domain, and the TXT record that verifies it. Throws `forbidden` (`enterprise_only`). */
  showCustomDomain(who: Principal): CustomDomainView;
  /**
   * Sets the user's custom domain and frees the previous domain. Setting the same domain again changes nothing. Throws
   * `forbidden` (`enterprise_only`), `invalid` (`invalid_domain`, `reserved_domain`), `conflict` (`domain_taken`) and
   * `throttled` (`too_many_domains`).
   */
  setCustomDomain(
    who: Principal,
    input: SetCustomDomainInput,
    caller: Caller,
  ): Promise<SetCustomDomainResult>;
  /** Removes the custom domain in any tier; the domain is free at once. Does nothing without a domain. */
  removeCustomDomain(who: Principal, caller: Caller): Promise<RemoveCustomDomainResult>;
  /**
   * Looks up the TXT record of a domain that is not verified yet. If the record is found, the domain belongs to this user
   * alone. Throws `forbidden` (`enterprise_only`), `missing` (`domain_not_set`), `conflict` (`domain_taken`), `invalid`
   * (`domain_not_verified`) and `unavailable` (`dns_unavailable`).
   */
  verifyCustomDomain(who: Principal, caller: Caller): Promise<VerifyCustomDomainResult>;
  /**
   * Requests a change of the email: mails a code to the new email, and a notice to the old email. The response is the
   * same for an email that another account has. `charge` counts the call in the new email's allowance. Throws `forbidden`
   * (`fresh_authentication_needed`), `invalid` (`invalid_email`), `conflict` (`same_email`) and `throttled`
   * (`email_change_held`) after 5 requests a day, or while 3 changes can be undone.
   */
  askEmailChange(
    who: Principal,
    input: AskEmailChangeInput,
    caller: Caller,
    charge?: ChargeAllowance,
  ): Promise<CodeMailed>;
  /**
   * Changes the email with the code from the new email, in the session that requested the change. Ends the user's other
   * sessions, and mails to the old email a code that undoes the change within 7 days. Throws `unauthenticated`
   * (`invalid_code`), `conflict` (`email_taken`) and `throttled` (`verification_held`).
   */
  confirmEmailChange(
    who: Principal,
    input: ConfirmEmailChangeInput,
    caller: Caller,
  ): Promise<ConfirmEmailChangeResult>;
  /** Cancels the pending change of the email. Does nothing without a pending change. */
  cancelEmailChange(who: Principal): Promise<Success>;
  /**
   * Undoes a change of the email, with the code that was mailed to the old email, without a sign-in. Ends every
   * session, and removes a password, second factor, passkey or identity that was added since the change was requested. Of
   * those added in the 30 days before the request, it removes what the session that changed the email had added, or all
   * of them if that session may have signed in by one. Also undoes a deletion. Returns what it removed. Throws
   * `unauthenticated` (`invalid_code`), `conflict` (`email_taken`), `throttled` (`verification_held`) and `invalid`
   * (`invalid_email`).
   */
  undoEmailChange(input: UndoEmailChangeInput, caller: Caller): Promise<UndoEmailChangeResult>;
  /**
   * Deletes the account. After this write nobody can sign in; the data is deleted right after, or later if a service is
   * down. Throws as `SignIn.reauthenticate` by password and code does, `conflict` (`last_founder`), and `forbidden`
   * (`fresh_authentication_needed`) for an account without a password.
   */
  deleteAccount(who: Principal, input: DeleteAccountInput, caller: Caller): Promise<Success>;
}
