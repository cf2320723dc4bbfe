/** First and later attempts at deliveries: rounds of them, each signed, posted and booked. Knows neither Kafka nor when to try again. */
@NullMarked
package dev.ligeiro.dispatcher.attempt;

import org.jspecify.annotations.NullMarked;
