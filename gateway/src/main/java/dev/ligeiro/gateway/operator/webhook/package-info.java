/**
 * The webhook endpoints of all merchants, for operators: which ones fail, what they have missed, and the remedies of their merchants. Called over
 * HTTP; calls {@code api.webhook} and MongoDB.
 */
@NullMarked
package dev.ligeiro.gateway.operator.webhook;

import org.jspecify.annotations.NullMarked;
