/**
 * The webhook endpoints of all merchants: which ones fail and why, what they have missed, and the remedies. Reads and writes what gateways and
 * webhook-dispatchers read.
 */
@NullMarked
package dev.ligeiro.desk.webhook;

import org.jspecify.annotations.NullMarked;
