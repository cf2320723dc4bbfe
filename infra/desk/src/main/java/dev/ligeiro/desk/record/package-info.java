/** Records in Kafka: dead letters, and the states that a restored MongoDB lacks; and the rebuild of the books. */
@NullMarked
package dev.ligeiro.desk.record;

import org.jspecify.annotations.NullMarked;
