package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.problem.Problem;
import dev.ligeiro.gateway.http.problem.ProblemCode;
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
    public boolean has(Role role) {
        return role == Role.READ || roles.contains(role);
    }

    /** @throws Problem 403 if the operator lacks the role */
    public void require(Role role) {
        if (!has(role)) {
            throw Problem.of(ProblemCode.INSUFFICIENT_ROLE, "The operator's token lacks the role " + role.code());
        }
    }

    @Override
    public Object bodyShare() {
        return name;
    }
}
