/** How a service words its errors: `{message, code}` or `{error, message}`. */
export type ErrorStyle = 'account' | 'metadata';
