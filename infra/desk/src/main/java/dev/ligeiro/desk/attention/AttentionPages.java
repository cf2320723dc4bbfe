package dev.ligeiro.desk.attention;

import dev.ligeiro.desk.attention.StatusController.Open;
import dev.ligeiro.desk.attention.StatusController.Status;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.message.Topics;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The first page of the operators' console: the open work, each line with the way to its list. */
@Controller
public class AttentionPages {

    private final StatusController status;

    AttentionPages(StatusController status) {
        this.status = status;
    }

    /**
     * A line of the page.
     *
     * @param name of its text, and the end of its list's path
     * @param isUrgent whether money or a merchant waits as long as it is not empty
     * @param work null while it is not known
     */
    public record Line(String name, @Nullable String list, boolean isUrgent, @Nullable OpenWork work) {

        public boolean isOpen() {
            return work != null && work.count() > 0;
        }
    }

    @GetMapping("/console")
    @Needs(Role.READ)
    String attention(Model model) {
        Status now = status.show();
        Open open = now.open();
        model.addAttribute("status", now);
        model.addAttribute(
                "lines",
                List.of(
                        new Line("unknown", "unsettled", true, open.unknownOutcomes()),
                        new Line("unmatched", "unmatched-payments", true, open.unmatchedPayments()),
                        new Line("dead_commands", "dead-letters?topic=" + Topics.COMMANDS, true, open.deadCommands()),
                        new Line("dead_events", "dead-letters?topic=" + Topics.EVENTS, true, open.deadEvents()),
                        new Line("approvals", "approvals", false, open.approvals()),
                        new Line("resolutions", "resolutions", false, open.resolutions()),
                        new Line("breaks", "breaks", false, open.breaks()),
                        new Line("failing", "endpoints", false, open.failingEndpoints()),
                        new Line("disabled", "endpoints", false, open.disabledEndpoints()),
                        new Line("unaccepted", null, true, open.unaccepted())));
        return "attention/page";
    }
}
