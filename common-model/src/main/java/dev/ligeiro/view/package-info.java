/**
 * What a merchant sees of a transaction: the same JSON in answers (gateway) and in webhooks (dispatcher).
 */
@NullMarked
package dev.ligeiro.view;

import org.jspecify.annotations.NullMarked;
