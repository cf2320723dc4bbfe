/** Short reads of whole topics for the operator: dead letters, and the records that came after a backup. They block and commit nothing. */
@NullMarked
package dev.ligeiro.gateway.kafka;

import org.jspecify.annotations.NullMarked;
