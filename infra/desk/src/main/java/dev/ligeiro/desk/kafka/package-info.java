/** What Kafka tells about consumer groups. */
@NullMarked
package dev.ligeiro.desk.kafka;

import org.jspecify.annotations.NullMarked;
