class Pavage < Formula
  desc "Counts tilings without listing them"
  homepage "{{.Homepage}}"
  version "{{.Version}}"
  license "MIT"
{{range .Archives}}{{if ne .OS "windows"}}
  on_{{if eq .OS "darwin"}}macos{{else}}linux{{end}} do
    on_{{if eq .Arch "arm64"}}arm{{else}}intel{{end}} do
      url "{{$.URL}}/{{.File}}"
      sha256 "{{.Sum}}"
    end
  end
{{end}}{{end}}
  def install
    prefix.install "bin", "share"
  end

  test do
    assert_equal "12988816\n", shell_output("#{bin}/pavage count --board 8x8 --piece domino=any")
  end
end
