/** The form of a service's errors: `{message, code}` or `{error, message}`. */
export type ErrorStyle = 'account' | 'metadata';
