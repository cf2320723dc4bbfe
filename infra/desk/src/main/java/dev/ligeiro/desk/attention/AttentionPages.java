package dev.ligeiro.desk.attention;

import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The first page of the operators' console: the open work, each line with the way to its list. */
@Controller
class AttentionPages {

    private final StatusController status;

    AttentionPages(StatusController status) {
        this.status = status;
    }

    @GetMapping("/console")
    @Needs(Role.READ)
    String attention(Model model) {
        model.addAttribute("status", status.show());
        return "attention/page";
    }
}
