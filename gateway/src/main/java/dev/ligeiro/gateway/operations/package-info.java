/**
 * What the operator must look after: transactions with an unknown outcome, and money that no transaction can take. Serves lists on
 * the management port only; reads MongoDB.
 */
@NullMarked
package dev.ligeiro.gateway.operations;

import org.jspecify.annotations.NullMarked;
