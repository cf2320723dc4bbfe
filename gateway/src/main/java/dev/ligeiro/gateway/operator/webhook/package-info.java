/**
 * The operators' side of webhooks: encrypts stored secrets with the current key, and lists the internal networks that webhooks
 * may call. Called over HTTP on the management port; calls {@code webhook}.
 */
@NullMarked
package dev.ligeiro.gateway.operator.webhook;

import org.jspecify.annotations.NullMarked;
