package dev.ligeiro.infra.loadtest.merchant;

import io.netty.handler.codec.http.FullHttpRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Passes each webhook to the check of its endpoint, by the path of its URL. A webhook to another path is a fault. */
public final class WebhookPaths implements Consumer<FullHttpRequest> {

    private final Map<String, WebhookCheck> checks = new ConcurrentHashMap<>();
    private final RunFaults faults;

    public WebhookPaths(RunFaults faults) {
        this.faults = faults;
    }

    public void add(String path, WebhookCheck check) {
        checks.put(path, check);
    }

    @Override
    public void accept(FullHttpRequest request) {
        WebhookCheck check = checks.get(request.uri());
        if (check == null) {
            faults.add("webhook to an unknown path", request.uri());
        } else {
            check.accept(request);
        }
    }
}
