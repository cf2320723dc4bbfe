package dev.ligeiro.desk.operator;

import dev.ligeiro.support.problem.Problem;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;

/** Lists and ends sessions of the console. */
@RestController
@Tag(name = "sessions")
class SessionController {

    private final Sessions sessions;

    SessionController(Sessions sessions) {
        this.sessions = sessions;
    }

    record SessionList(List<Sessions.Session> sessions) {}

    @GetMapping("/admin/sessions")
    @Needs(Role.OPERATE)
    @Operation(summary = "Lists the open sessions of the console, the newest first.")
    SessionList list() {
        return new SessionList(sessions.list());
    }

    @GetMapping("/console/sessions")
    @Needs(Role.OPERATE)
    ModelAndView page() {
        return new ModelAndView("operator/sessions", "sessions", sessions.list());
    }

    @DeleteMapping("/admin/sessions/{sessionId}")
    @Needs(Role.OPERATE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Ends a session of the console.")
    void end(@PathVariable UUID sessionId) {
        if (!sessions.end(sessionId)) {
            throw Problem.notFound("There is no such session");
        }
    }
}
