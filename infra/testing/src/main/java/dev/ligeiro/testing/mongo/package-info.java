/** What the tests hear of the commands that services send to MongoDB. */
@NullMarked
package dev.ligeiro.testing.mongo;

import org.jspecify.annotations.NullMarked;
