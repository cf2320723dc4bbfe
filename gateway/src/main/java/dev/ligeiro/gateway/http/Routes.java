package dev.ligeiro.gateway.http;

import java.util.List;

/** A feature's routes on the public port. Features with more requests per second come first by {@code @Order}. */
public interface Routes {

    List<Route> routes();
}
