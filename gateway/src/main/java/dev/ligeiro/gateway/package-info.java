/**
 * The gateway: takes HTTP requests, stores transactions in MongoDB and publishes commands to Kafka. One package per feature, each with
 * its own routes.
 */
@NullMarked
package dev.ligeiro.gateway;

import org.jspecify.annotations.NullMarked;
