package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.request.Sender;
import java.util.Set;

/**
 * The caller of the admin API.
 *
 * @param name the name of the token, which audit entries show
 */
public record Operator(String name, Set<Role> roles) implements Sender {

    public Operator {
        roles = Set.copyOf(roles);
    }

    /** Every operator may read. */
    boolean has(Role role) {
        return role == Role.READ || roles.contains(role);
    }

    @Override
    public Object bodyShare() {
        return name;
    }
}
