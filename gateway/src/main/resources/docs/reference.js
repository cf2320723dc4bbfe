// Shows /openapi.json with Swagger UI, and sends requests with keys of the test mode only.
'use strict';

const TEST_KEY = 'Bearer sk_test_';

window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  // the page shows the request also when the interceptor refuses it
  showMutatedRequest: false,
  // null: no badge, which an outside host would draw
  validatorUrl: null,
  requestInterceptor: (request) => {
    const key = request.headers?.Authorization;
    if (key && !key.startsWith(TEST_KEY)) {
      throw new Error('This page sends requests with test keys only.');
    }
    return request;
  },
});
