package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.Route;
import java.util.List;

/** A feature's routes on the management port, made by {@link AdminRoutes}. */
public interface ManagementRoutes {

    List<Route> routes();
}
