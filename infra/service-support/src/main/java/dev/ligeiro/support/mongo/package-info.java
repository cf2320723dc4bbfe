/** The MongoDB client that all services use. Each application class imports {@code MongoClientConfiguration}. */
@NullMarked
package dev.ligeiro.support.mongo;

import org.jspecify.annotations.NullMarked;
