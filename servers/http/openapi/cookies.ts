import { ACCESS, type AnswerDoc, type Route } from '../route.ts';

/** The security scheme of sessions in cookies, where they are on. */
export const cookieScheme = (name: string) => ({
  cookieSession: {
    type: 'apiKey',
    in: 'cookie',
    name,
    description:
      'Set by a login with the header `X-Session: cookie`; ignored where the request has an access token',
  },
});

const titles = ({ schema }: AnswerDoc): readonly (string | undefined)[] => {
  if (schema === undefined) return [];
  return 'oneOf' in schema ? schema.oneOf.map(({ title }) => title) : [schema.title];
};

/** Whether the route begins a session: the title of its response schema is `LoggedIn`. */
export const beginsSession = ({ answers: { 200: success } }: Route): boolean =>
  success !== undefined && titles(success).includes('LoggedIn');

/**
 * Whether an answer of this status may set or clear the cookie: a 401 clears that of an ended session. A route with `session`
 * begins, renews or ends a session.
 */
export const setsCookie = (route: Route, status: number): boolean =>
  status === 401
    ? ACCESS[route.access].cookie !== undefined
    : status === 200 && (beginsSession(route) || 'session' in route);

export const SESSION_HEADER = {
  name: 'X-Session',
  in: 'header',
  description:
    '`cookie`: the session is kept in a cookie, and the answer has neither token nor refresh token',
  schema: { type: 'string', enum: ['cookie'] },
} as const;
