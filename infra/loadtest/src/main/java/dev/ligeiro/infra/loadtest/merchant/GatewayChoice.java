package dev.ligeiro.infra.loadtest.merchant;

import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Spreads a generator's connections over the gateways, as a load balancer does: a new one goes to the gateway that has the fewest. Used
 * by the generator's thread.
 */
final class GatewayChoice {

    private final Map<InetSocketAddress, Integer> connections = new HashMap<>();
    private List<InetSocketAddress> gateways;

    GatewayChoice(InetSocketAddress gateway) {
        this.gateways = List.of(gateway);
    }

    /** Later connections go to these. */
    void use(List<InetSocketAddress> newGateways) {
        gateways = List.copyOf(newGateways);
    }

    InetSocketAddress next() {
        InetSocketAddress chosen = gateways.stream()
                .min(Comparator.comparingInt(this::connections))
                .orElseThrow();
        connections.merge(chosen, 1, Integer::sum);
        return chosen;
    }

    /** Chooses the gateway of a connection that was one to {@code before}. */
    InetSocketAddress instead(InetSocketAddress before) {
        connections.merge(before, -1, Integer::sum);
        return next();
    }

    boolean isUsed(InetSocketAddress gateway) {
        return gateways.contains(gateway);
    }

    /** Whether the gateway has more than its share, so that an idle connection to it should be replaced by a new one. */
    boolean isAboveShare(InetSocketAddress gateway) {
        int all = connections.values().stream().mapToInt(count -> count).sum();
        return connections(gateway) > (all + gateways.size() - 1) / gateways.size();
    }

    private int connections(InetSocketAddress gateway) {
        return connections.getOrDefault(gateway, 0);
    }
}
