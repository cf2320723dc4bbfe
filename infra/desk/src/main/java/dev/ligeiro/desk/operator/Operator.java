package dev.ligeiro.desk.operator;

import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.ProblemCode;
import java.io.Serializable;
import java.security.Principal;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/**
 * A person or program that runs the installation. It is no {@code Principal}: handlers would get that of the request for it.
 *
 * @param name as the audit shows it: that of the token, or the person's
 */
public record Operator(String name, Set<Role> roles) implements Serializable {

    public Operator {
        roles = Set.copyOf(roles);
    }

    /** The operator of a request; null before the sign-in. */
    public static @Nullable Operator of(@Nullable Principal principal) {
        return principal instanceof Authentication authentication
                        && authentication.getPrincipal() instanceof Operator operator
                ? operator
                : null;
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
}
