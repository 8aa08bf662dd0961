import {
  AVATAR_BYTES_MOST,
  AVATAR_TYPES,
  noAvatar,
  setAvatarResult,
} from '../../core/accounts/profile/avatar.ts';
import { onlyMessage } from '../../core/answer-schemas.ts';
import type { Accounts, Avatar } from '../../core/index.ts';
import { object, optional, text } from '../../core/schema.ts';
import { withoutSpace } from '../http/optional-whitespace.ts';
import { AVATAR_POLICY } from '../http/page/content-security-policy.ts';
import { ok, type ResponseBody } from '../http/response-body.ts';
import { type AnyRoute, signedIn } from '../http/route.ts';

/** An image must not run scripts, and no shared cache may keep it. */
const IMAGE_HEADERS = {
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': AVATAR_POLICY,
  'Content-Disposition': 'inline',
} as const;

const IMAGE_HEADER_DOCS = {
  ETag: 'Identifies the bytes of the image',
  'Content-Security-Policy': 'Nothing in the image may run',
  'Content-Disposition': '`inline`',
} as const;

const conditions = object({
  'If-None-Match': optional(text({ description: 'The `ETag` of an image that the caller has already' })),
});

const answerFor = (avatar: Avatar, ifNoneMatch: string | undefined): ResponseBody<never> => {
  if (avatar.kind === 'external') {
    // Encoded for a header: an address from an import or an embedding app may contain any character.
    const location = URL.canParse(avatar.url) ? new URL(avatar.url).href : undefined;
    if (location === undefined) throw noAvatar();
    return { status: 302, headers: { Location: location, 'Cache-Control': 'private, no-cache' } };
  }
  const tag = `"${avatar.tag}"`;
  const headers = { ...IMAGE_HEADERS, ETag: tag };
  // RFC 9110 section 13.1.2: a weak comparison.
  const tags = (ifNoneMatch ?? '').split(',').map((text) => withoutSpace(text).replace(/^W\//, ''));
  if (tags.includes(tag) || tags.includes('*')) return { status: 304, headers };
  return {
    status: 200,
    body: avatar.bytes,
    bytesId: `avatar ${avatar.tag}`,
    headers: { ...headers, 'Content-Type': avatar.type },
  };
};

/** The caller's avatar: spec section 4.1. */
export const avatarRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'GET',
    path: '/api/avatar',
    summary: 'The caller’s avatar',
    headers: conditions,
    answers: {
      200: { description: 'The image.', types: Object.values(AVATAR_TYPES), headers: IMAGE_HEADER_DOCS },
      302: { description: 'The avatar is on another site.', headers: { Location: 'Its address' } },
      304: { description: 'The avatar still has the given `ETag`.', headers: IMAGE_HEADER_DOCS },
      404: { description: 'There is no avatar.', errors: ['avatar_not_found'] },
    },
    run: async ({ principal, headers }) =>
      answerFor(await accounts.showAvatar(principal), headers['if-none-match']),
  }),
  signedIn({
    method: 'POST',
    path: '/api/avatar',
    summary: 'Upload an avatar: JPEG, PNG, WebP or GIF of at most 2 MB, in the form field `avatar`',
    upload: { field: 'avatar', longest: AVATAR_BYTES_MOST, begin: accounts.beginAvatarUpload },
    answers: {
      200: { description: 'The path of the stored avatar.', schema: setAvatarResult },
      400: {
        description:
          'Not one file of at most 2 MB, or not a supported image. `image_too_large`: in pixels, frames or parts. `image_broken`: in its structure, a checksum or at its end.',
        errors: [
          'file_missing',
          'file_too_large',
          'invalid_multipart',
          'not_an_image',
          'image_too_large',
          'image_broken',
        ],
      },
      415: { description: 'Not a multipart/form-data request.', errors: ['unsupported_media_type'] },
      429: {
        description: 'Too many requests, or uploads of the user at once.',
        errors: ['too_many_uploads'],
      },
      503: {
        description: 'Too many uploads of all users at once, or a dependency of the service is down.',
        errors: ['uploads_full'],
      },
    },
    run: async ({ principal, upload, caller }) => ok(await accounts.setAvatar(principal, upload, caller)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/avatar',
    summary: 'Remove the avatar',
    answers: { 200: { description: 'The avatar is removed.', schema: onlyMessage } },
    run: async ({ principal, caller }) => ok(await accounts.removeAvatar(principal, caller)),
  }),
];
