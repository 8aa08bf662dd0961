/** Backgrounds on which the white words of methods can be read. */
const METHODS = {
  get: '#1b66b3',
  post: '#1a7a4c',
  put: '#94540a',
  patch: '#0f716a',
  delete: '#c02626',
};

/** A style that raises the contrast of Swagger UI to WCAG 2.2, 1.4.3. The page loads it after Swagger UI's own style. */
export const STYLE = `${Object.entries(METHODS)
  .map(
    ([method, colour]) =>
      `.swagger-ui .opblock.opblock-${method} .opblock-summary-method { background: ${colour}; text-shadow: none; }`,
  )
  .join('\n')}
.swagger-ui .info .title small { background: #545d6b; }
.swagger-ui .info .title small.version-stamp { background: #4a6800; }
.swagger-ui .info .link .url, .swagger-ui .info .base-url { color: #1b5eb3; }
.swagger-ui .btn.authorize { border-color: #1a7a4c; color: #1a7a4c; }
.swagger-ui .btn.authorize svg { fill: #1a7a4c; }
.swagger-ui .parameter__in, .swagger-ui .parameter__deprecated { color: #545454; }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { color: #6a0bc0; }
.swagger-ui [class*="expand-deep-button"] { color: #545454; }
.swagger-ui .highlight-code span[style*="rgb(211, 99, 99)"], .swagger-ui .microlight span[style*="rgb(211, 99, 99)"] { color: #f2a3a3 !important; }
`;
