"""Programs that documents played their games with, written again to replay them exactly."""
