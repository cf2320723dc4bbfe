/**
 * The MongoDB documents that the services share: collection names, field names and hand-written codecs. The stores of the services
 * use it; it opens no connection.
 */
@NullMarked
package dev.ligeiro.store;

import org.jspecify.annotations.NullMarked;
