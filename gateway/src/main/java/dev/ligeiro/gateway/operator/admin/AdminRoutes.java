package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.Access;
import dev.ligeiro.gateway.http.Route;
import java.time.Duration;

/** Makes the routes of the admin API: each needs an operator's token, and each request that may change something leaves an audit entry. */
public final class AdminRoutes {

    private final Access<Operator> access;
    private final Audit audit;

    AdminRoutes(Access<Operator> access, Audit audit) {
        this.access = access;
        this.audit = audit;
    }

    public Route get(String path, Route.Handler<Operator> handler) {
        return Route.get(path, access, handler);
    }

    public Route get(String path, Duration timeout, Route.Handler<Operator> handler) {
        return Route.get(path, access, timeout, handler);
    }

    public Route delete(String path, Route.Handler<Operator> handler) {
        return Route.delete(
                path,
                access,
                (request, operator) -> audit.of(
                        AuditEntry.Request.of(request, path, null), operator, () -> handler.handle(request, operator)));
    }

    public Route postJson(String path, Route.JsonHandler<Operator> handler) {
        return postJson(path, Route.TIMEOUT, handler);
    }

    public Route postJson(String path, Duration timeout, Route.JsonHandler<Operator> handler) {
        return Route.postJson(path, access, timeout, audited(path, handler));
    }

    public Route putJson(String path, Route.JsonHandler<Operator> handler) {
        return Route.putJson(path, access, audited(path, handler));
    }

    public Route patchJson(String path, Route.JsonHandler<Operator> handler) {
        return Route.patchJson(path, access, audited(path, handler));
    }

    private Route.JsonHandler<Operator> audited(String path, Route.JsonHandler<Operator> handler) {
        return (request, operator, body) -> audit.of(
                AuditEntry.Request.of(request, path, body), operator, () -> handler.handle(request, operator, body));
    }
}
