/**
 * The gateway: HTTP in, MongoDB, Kafka out. One package a feature; each brings its own routes.
 */
@NullMarked
package dev.ligeiro.gateway;

import org.jspecify.annotations.NullMarked;
