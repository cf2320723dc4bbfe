// Shows /openapi.json with Swagger UI, and sends requests with keys of the test mode only.
'use strict';

const TEST_KEY = 'Bearer sk_test_';
// of the examples; a request with it is sent with a platform of the key's merchant
const EXAMPLE_PLATFORM = '7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a59';

async function ownPlatform(key) {
  const answer = await fetch('/api/v1/platforms', { headers: { Authorization: key } });
  return answer.ok ? (await answer.json()).platforms[0]?.id : undefined;
}

window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  // the fields stand at each operation
  defaultModelsExpandDepth: -1,
  docExpansion: 'list',
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  // the page shows the request also when the interceptor refuses it
  showMutatedRequest: false,
  // null: no badge, which an outside host would draw
  validatorUrl: null,
  requestInterceptor: async (request) => {
    const key = request.headers?.Authorization;
    if (key && !key.startsWith(TEST_KEY)) {
      throw new Error('This page sends requests with test keys only.');
    }
    if (key && typeof request.body === 'string' && request.body.includes(EXAMPLE_PLATFORM)) {
      request.body = request.body.replaceAll(EXAMPLE_PLATFORM, (await ownPlatform(key)) ?? EXAMPLE_PLATFORM);
    }
    return request;
  },
});
