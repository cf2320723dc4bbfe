/** A merchant's server, for tests of webhooks. */
@NullMarked
package dev.ligeiro.testing.webhook;

import org.jspecify.annotations.NullMarked;
