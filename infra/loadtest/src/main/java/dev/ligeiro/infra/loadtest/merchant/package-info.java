/**
 * The merchant's side: sends calls at a given pace, checks every response and webhook, keeps a journal of both, and audits the stored
 * transactions by it. Called by the load test's flow; calls the gateway, and is called by the dispatcher.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.merchant;

import org.jspecify.annotations.NullMarked;
