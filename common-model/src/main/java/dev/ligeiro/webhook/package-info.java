/** A merchant's webhook endpoint: the gateway keeps it, the dispatcher delivers to it. */
@NullMarked
package dev.ligeiro.webhook;

import org.jspecify.annotations.NullMarked;
