/**
 * The merchant's endpoint: receives webhooks and checks each. Called by the dispatcher over HTTP; writes to the journal.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.receive;

import org.jspecify.annotations.NullMarked;
